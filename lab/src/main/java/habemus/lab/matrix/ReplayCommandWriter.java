package habemus.lab.matrix;

import habemus.smallscope.SmallScopes;

/** Writes the command line that replays a run of a cell. */
public interface ReplayCommandWriter {

    String commandLine(MatrixCell cell, SmallScopes.Size size, String moves);
}
