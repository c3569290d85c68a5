package habemus.check;

/** Something that happened: a turn, and the index of the node that took it. */
record Move(int node, Turn turn) {}
