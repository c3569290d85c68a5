package habemus.lab.matrix;

/** Writes the command line that replays a run of a cell, and requires the property of the finding. */
public interface ReplayCommandWriter {

    String commandLine(MatrixCell cell, CellFinding finding, String moves);
}
