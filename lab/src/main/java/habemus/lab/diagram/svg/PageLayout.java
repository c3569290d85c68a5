package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DiagramModel;
import habemus.protocol.NodeId;

/**
 * Where things are on the paper. Above: a lane for each node. Below, on the same axis: a row for each.
 *
 * @param firstLaneY where the first lane is
 * @param lanePitch from lane to lane
 */
record PageLayout(DiagramModel diagramModel, TimeAxis axis, double firstLaneY, double lanePitch) {

    static final double ROW_HEIGHT = 26;
    private static final double AXIS_BELOW_LANES = 34;
    private static final double ROWS_BELOW_AXIS = 62;

    static PageLayout of(DiagramModel diagramModel, TimeAxis axis, double lanes) {
        int nodes = diagramModel.nodes().size();
        double pitch = nodes <= 3 ? 96 : nodes <= 5 ? 76 : nodes <= 8 ? 60 : nodes <= 16 ? 46 : 34;
        return new PageLayout(diagramModel, axis, lanes, pitch);
    }

    double x(int line) {
        return axis.x(diagramModel.timeSlots().of(line));
    }

    double startX() {
        return axis.x(0);
    }

    double laneY(NodeId node) {
        return firstLaneY + lanePitch * diagramModel.nodes().indexOf(node);
    }

    double lastLaneY() {
        return firstLaneY + lanePitch * (diagramModel.nodes().size() - 1);
    }

    double axisY() {
        return lastLaneY() + AXIS_BELOW_LANES;
    }

    double firstRowY() {
        return axisY() + ROWS_BELOW_AXIS;
    }

    /** The upper edge of a node's row. */
    double rowY(NodeId node) {
        return firstRowY() + ROW_HEIGHT * diagramModel.nodes().indexOf(node);
    }

    double bottomY() {
        return firstRowY() + ROW_HEIGHT * diagramModel.nodes().size();
    }
}
