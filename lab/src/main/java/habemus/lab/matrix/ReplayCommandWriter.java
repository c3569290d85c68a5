package habemus.lab.matrix;

import habemus.smallscope.SmallScopes;

/** Writes the command that shows a run of a cell again. */
public interface ReplayCommandWriter {

    String commandLine(MatrixCell matrixCell, SmallScopes.Size size, String moves);
}
