package habemus.cli.check;

import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.ScheduledExperiment;
import habemus.lab.experiment.WorldOption;
import habemus.lab.matrix.CellFinding;
import habemus.lab.matrix.MatrixCell;
import habemus.smallscope.SmallScopes;
import java.util.LinkedHashMap;
import java.util.List;

/** The command line that replays a finding of the matrix. */
public final class MatrixReplay {

    private MatrixReplay() {}

    public static String commandLine(MatrixCell cell, CellFinding finding, String moves) {
        return ReplayCommandLine.of(
                ScheduledExperiment.requiring(toArguments(cell, finding.size(), moves), finding.property()));
    }

    static RunArguments toArguments(MatrixCell cell, SmallScopes.Size size, String moves) {
        var given = new LinkedHashMap<String, List<String>>();
        given.put(WorldOption.NODES.option(), List.of(Integer.toString(size.nodes())));
        given.put(WorldOption.NETWORK.option(), List.of(cell.network().toString()));
        given.put(WorldOption.TIMING.option(), List.of(cell.timingName()));
        given.put(WorldOption.MOVES.option(), List.of(moves));
        if (!cell.variant().option().isEmpty()) {
            var option = cell.variant().option().split(" ", 2);
            given.put(option[0], List.of(option.length == 1 ? "true" : option[1]));
        }
        return RunArguments.of(cell.algorithm(), given);
    }
}
