package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.trace.TraceWording;
import habemus.world.Fault;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text above the lanes for an event that concerns several nodes: a cut, healing, a change of the
 * membership, a violation.
 *
 * @param index the index of the trace event
 * @param row how many rows above the lanes, so that texts do not overlap
 * @param end the x coordinate at which the text ends
 */
record Annotation(String text, boolean violation, int index, int row, double end) {

    private static final double CHARACTER_WIDTH = 6.4;

    static List<Annotation> of(DiagramModel model, TimeAxis axis) {
        var annotations = new ArrayList<Annotation>();
        var free = new ArrayList<Double>();
        var events = model.events();
        for (int i = 0; i < events.size(); i++) {
            boolean violation = events.get(i) instanceof TraceEvent.Violated;
            double x = axis.x(model.timeSlots().slotOf(i));
            int index = i;
            textOf(events.get(i)).map(model.recording().names()::in).ifPresent(text -> {
                double end = x + 10 + text.length() * CHARACTER_WIDTH * (violation ? 1.15 : 1);
                int row = firstFree(free, x, end);
                annotations.add(new Annotation(text, violation, index, row, end));
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

    private static Optional<String> textOf(TraceEvent event) {
        return switch (event) {
            case TraceEvent.FaultInjected(var at, var fault) ->
                concernsSeveralNodes(fault) ? Optional.of(TraceWording.describe(fault)) : Optional.empty();
            case TraceEvent.Wrote(var at, var node, var fence, var accepted)
            when !accepted -> Optional.of(node + " " + TraceWording.describeWrite(fence, accepted));
            case TraceEvent.Violated(var at, var property) -> Optional.of(property + " violated");
            case TraceEvent.NotGuaranteed(var at, var property) -> Optional.of(property + " not guaranteed");
            default -> Optional.empty();
        };
    }

    private static boolean concernsSeveralNodes(Fault fault) {
        return switch (fault) {
            case Fault.Cut cut -> true;
            case Fault.Slow slow -> true;
            case Fault.Heal heal -> true;
            case Fault.Join join -> true;
            case Fault.Leave leave -> true;
            case Fault.HealCut healCut -> false; // the shaded area ends there
            case Fault.Crash crash -> false;
            case Fault.Restart restart -> false;
            case Fault.LoseTail loseTail -> false;
            case Fault.ClockRate clockRate -> false;
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
