package habemus.cli;

import habemus.lab.matrix.Cell;
import habemus.small.SmallWorlds;
import java.util.LinkedHashMap;
import java.util.List;

/** The command that shows a run of a cell of the matrix again. */
final class MatrixReplay {

    private MatrixReplay() {}

    static String line(Cell cell, SmallWorlds.Size size, String moves) {
        return ReplayLine.of(words(cell, size, moves));
    }

    static RunWords words(Cell cell, SmallWorlds.Size size, String moves) {
        var given = new LinkedHashMap<String, List<String>>();
        given.put(WorldOption.NODES.option(), List.of(Integer.toString(size.nodes())));
        given.put(WorldOption.NETWORK.option(), List.of(cell.network().toString()));
        given.put(WorldOption.TIMING.option(), List.of(cell.timingText()));
        given.put(WorldOption.MOVES.option(), List.of(moves));
        if (!cell.variant().option().isEmpty()) {
            var option = cell.variant().option().split(" ", 2);
            given.put(option[0], List.of(option.length == 1 ? "true" : option[1]));
        }
        return RunWords.of(cell.algorithm(), given);
    }
}
