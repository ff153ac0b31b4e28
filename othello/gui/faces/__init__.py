"""How each game looks on the screen, and what clicks and letters mean there."""
