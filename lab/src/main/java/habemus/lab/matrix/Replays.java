package habemus.lab.matrix;

import habemus.small.SmallWorlds;

/** Writes the command that shows a run of a cell again. */
public interface Replays {

    String line(Cell cell, SmallWorlds.Size size, String moves);
}
