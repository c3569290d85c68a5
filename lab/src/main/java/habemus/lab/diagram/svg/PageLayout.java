package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;
import habemus.lab.diagram.model.DiagramModel;
import habemus.lab.diagram.model.TimeSlots;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;

/**
 * The coordinates of a run diagram: above a lane for each node, below a row for each, on the same time axis.
 *
 * @param firstLaneY the y coordinate of the first lane
 * @param lanePitch the distance between two lanes
 */
record PageLayout(DiagramModel model, TimeAxis axis, double firstLaneY, double lanePitch) {

    static final double ROW_HEIGHT = 26;
    private static final double AXIS_BELOW_LANES = 34;
    private static final double NOTE_ROOM = 50;
    private static final double ROWS_BELOW_AXIS = 62;

    static PageLayout of(DiagramModel model, TimeAxis axis, double lanes) {
        int nodes = model.nodes().size();
        double pitch = nodes <= 3 ? 96 : nodes <= 5 ? 76 : nodes <= 8 ? 60 : nodes <= 16 ? 46 : 34;
        return new PageLayout(model, axis, lanes, pitch);
    }

    /** The height of stacked notes above the first lane. */
    static double noteRoom(DiagramModel model) {
        boolean hasNotes = model.detailLevel() == DetailLevel.FULL
                && model.events().stream()
                        .anyMatch(event -> event instanceof TraceEvent.NodeStep step
                                && step.node().equals(model.nodes().getFirst())
                                && !TimeSlots.isUneventful(step)
                                && !TraceWording.note(step).isEmpty());
        return hasNotes ? NOTE_ROOM : 0;
    }

    double x(int index) {
        return axis.x(model.timeSlots().slotOf(index));
    }

    double startX() {
        return axis.x(0);
    }

    double laneY(NodeId node) {
        return firstLaneY + lanePitch * model.nodes().indexOf(node);
    }

    double lastLaneY() {
        return firstLaneY + lanePitch * (model.nodes().size() - 1);
    }

    double axisY() {
        return lastLaneY() + AXIS_BELOW_LANES;
    }

    double firstRowY() {
        return axisY() + ROWS_BELOW_AXIS;
    }

    /** The y coordinate of the upper edge of a node's row. */
    double rowY(NodeId node) {
        return firstRowY() + ROW_HEIGHT * model.nodes().indexOf(node);
    }

    double bottomY() {
        return firstRowY() + ROW_HEIGHT * model.nodes().size();
    }
}
