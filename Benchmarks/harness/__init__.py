"""Compares dsshell with other tools on the same files and the same work."""
