"""Work on finished games: conversion, exploring, exercises, repertoire and ratings."""
