"""Reproducible archives: the same files give the same bytes."""

import hashlib
import io
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

Entries: TypeAlias = Mapping[str, Path | bytes | PurePosixPath]
"""Entries of an archive by name: a file or link on disk, the content of a file, or the target of a link."""

Press: TypeAlias = Callable[[bytes], bytes]
_AR_MAGIC: Final = b"!<arch>\n"
_LIBRARY: Final = re.compile(r"\.so(\.\d+)*$")


def entries_of(folder: Path, name: str) -> dict[str, Path]:
    """Return all files and links of a folder, under another folder name."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {f"{name}/{path.relative_to(folder).as_posix()}": path for path in found}


def tar_of(entries: Entries, made_at: int, begin: str = "") -> bytes:
    """Return a reproducible tar archive of the entries and their folders.

    Args:
        entries: its contents.
        made_at: modification time of all entries.
        begin: prefix of all names.
    """
    folders = {above.as_posix() for name in entries for above in PurePosixPath(name).parents} - {".", "/"}
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted({*folders, *entries}):
            member = tarfile.TarInfo(f"{begin}{name}")
            member.mtime, member.uname, member.gname = made_at, "root", "root"
            source = entries.get(name)
            content = None
            if source is None:
                member.type, member.mode = tarfile.DIRTYPE, 0o755
            elif (target := _target(source)) is not None:
                member.type, member.linkname, member.mode = tarfile.SYMTYPE, target, 0o777
            else:
                data = content_of(source)
                member.size, content = len(data), io.BytesIO(data)
                member.mode = 0o755 if _is_program(name, source) else 0o644
            tar.addfile(member, content)
    return stream.getvalue()


def content_of(source: Path | bytes | PurePosixPath) -> bytes:
    """Return the content of a file; empty for a link."""
    if isinstance(source, Path):
        return b"" if source.is_symlink() else source.read_bytes()
    return source if isinstance(source, bytes) else b""


def _is_program(name: str, source: Path | bytes | PurePosixPath) -> bool:
    """Return whether a file can be run: libraries can have the permission, and do not need it."""
    return isinstance(source, Path) and bool(source.stat().st_mode & 0o100) and not _LIBRARY.search(name)


def _target(source: Path | bytes | PurePosixPath) -> str | None:
    """Return the target of a link, or None for other entries."""
    if isinstance(source, Path):
        return source.readlink().as_posix() if source.is_symlink() else None
    return source.as_posix() if isinstance(source, PurePosixPath) else None


def deb_of(fields: Mapping[str, str], entries: Entries, made_at: int, press: Press) -> bytes:
    """Return a package for Debian and its derivatives.

    Args:
        fields: of the control file, without `Installed-Size`.
        entries: installed files by path, without the leading slash.
        made_at: modification time of all entries.
        press: compresses like xz.
    """
    contents = {name: content_of(source) for name, source in sorted(entries.items()) if _target(source) is None}
    size = sum(-(-len(content) // 1024) for content in contents.values())
    control = "".join(f"{key}: {value}\n" for key, value in {**fields, "Installed-Size": str(size)}.items())
    sums = "".join(f"{hashlib.md5(content).hexdigest()}  {name}\n" for name, content in contents.items())
    about = tar_of({"control": control.encode(), "md5sums": sums.encode()}, made_at, "./")
    installed = tar_of(entries, made_at, "./")
    members = {"debian-binary": b"2.0\n", "control.tar.xz": press(about), "data.tar.xz": press(installed)}
    return _AR_MAGIC + b"".join(_ar(members, made_at))


def _ar(members: Mapping[str, bytes], made_at: int) -> Iterator[bytes]:
    for name, content in members.items():
        yield f"{name:<16}{made_at:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        yield content + b"\n" * (len(content) % 2)
