package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.trace.TraceWording;
import habemus.world.Fault;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is written above the lanes because it concerns more than one node: cuts, healing, violations.
 *
 * @param index the index of the line that it is about
 * @param row how far up, so that no remark is written over another
 * @param end where it ends on the paper
 */
record Annotation(String text, boolean violation, int index, int row, double end) {

    private static final double CHARACTER_WIDTH = 6.4;

    static List<Annotation> of(DiagramModel diagramModel, TimeAxis axis) {
        var annotations = new ArrayList<Annotation>();
        var free = new ArrayList<Double>();
        var lines = diagramModel.events();
        for (int i = 0; i < lines.size(); i++) {
            boolean violation = lines.get(i) instanceof TraceEvent.Violated;
            double x = axis.x(diagramModel.timeSlots().of(i));
            int line = i;
            textOf(lines.get(i)).ifPresent(words -> {
                double end = x + 10 + words.length() * CHARACTER_WIDTH * (violation ? 1.15 : 1);
                int row = firstFree(free, x, end);
                annotations.add(new Annotation(words, violation, line, row, end));
            });
        }
        return List.copyOf(annotations);
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

    private static Optional<String> textOf(TraceEvent line) {
        return switch (line) {
            case TraceEvent.FaultInjected(var at, var fault) ->
                concernsSeveralNodes(fault) ? Optional.of(TraceWording.describe(fault)) : Optional.empty();
            case TraceEvent.Wrote(var at, var node, var fence, var accepted)
            when !accepted -> Optional.of(node + " " + TraceWording.describeWrite(fence, accepted));
            case TraceEvent.Violated(var at, var property) -> Optional.of(property + " violated");
            default -> Optional.empty();
        };
    }

    private static boolean concernsSeveralNodes(Fault fault) {
        return switch (fault) {
            case Fault.Cut cut -> true;
            case Fault.Slow slow -> true;
            case Fault.Heal heal -> true;
            case Fault.HealCut healCut -> false; // the band ends there
            case Fault.Crash crash -> false;
            case Fault.Restart restart -> false;
            case Fault.Pause pause -> false;
            case Fault.Resume resume -> false;
            case Fault.WrongSuspicion wrongSuspicion -> false; // marked where the node suspects
            case Fault.Correct correct -> false;
        };
    }

    static int rowCount(List<Annotation> annotations) {
        return annotations.stream().mapToInt(Annotation::row).max().orElse(-1) + 1;
    }
}
