package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.world.Fault;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is written above the lanes because it concerns more than one node: cuts, healing, violations.
 *
 * @param line the index of the line that it is about
 * @param row how far up, so that no remark is written over another
 * @param end where it ends on the paper
 */
record Remark(String words, boolean violation, int line, int row, double end) {

    private static final double LETTER = 6.4;

    static List<Remark> of(Scene scene, TimeAxis axis) {
        var remarks = new ArrayList<Remark>();
        var free = new ArrayList<Double>();
        var lines = scene.lines();
        for (int i = 0; i < lines.size(); i++) {
            boolean violation = lines.get(i) instanceof TraceLine.Violated;
            double x = axis.x(scene.moments().of(i));
            int line = i;
            words(lines.get(i)).ifPresent(words -> {
                double end = x + 10 + words.length() * LETTER * (violation ? 1.15 : 1);
                int row = firstFree(free, x, end);
                remarks.add(new Remark(words, violation, line, row, end));
            });
        }
        return List.copyOf(remarks);
    }

    private static int firstFree(List<Double> free, double x, double end) {
        int row = 0;
        while (row < free.size() && free.get(row) > x) {
            row++;
        }
        if (row == free.size()) {
            free.add(end);
        } else {
            free.set(row, end);
        }
        return row;
    }

    private static Optional<String> words(TraceLine line) {
        return switch (line) {
            case TraceLine.Struck(var at, var fault) ->
                concernsMany(fault) ? Optional.of(Words.of(fault)) : Optional.empty();
            case TraceLine.Wrote(var at, var node, var fence, var accepted)
            when !accepted -> Optional.of(node + " " + Words.ofWrite(fence, accepted));
            case TraceLine.Violated(var at, var property) -> Optional.of(property + " violated");
            default -> Optional.empty();
        };
    }

    private static boolean concernsMany(Fault fault) {
        return switch (fault) {
            case Fault.Cut cut -> true;
            case Fault.Slow slow -> true;
            case Fault.Heal heal -> true;
            case Fault.Mend mend -> false; // the band ends there
            case Fault.Crash crash -> false;
            case Fault.Restart restart -> false;
            case Fault.Pause pause -> false;
            case Fault.Resume resume -> false;
            case Fault.Mistake mistake -> false; // marked where the node suspects
            case Fault.Correct correct -> false;
        };
    }

    static int rows(List<Remark> remarks) {
        return remarks.stream().mapToInt(Remark::row).max().orElse(-1) + 1;
    }
}
