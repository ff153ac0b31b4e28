"""What is drawn. A view gets a surface and a state, and changes neither more than the pixels."""
