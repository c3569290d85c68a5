package habemus.lab.picture;

import habemus.protocol.NodeId;

/**
 * Where things are on the paper. Above: a lane for each node. Below, on the same axis: a row for each.
 *
 * @param lanes where the first lane is
 * @param pitch from lane to lane
 */
record Sheet(Scene scene, TimeAxis axis, double lanes, double pitch) {

    static final double ROW = 26;
    private static final double AXIS_BELOW_LANES = 34;
    private static final double ROWS_BELOW_AXIS = 62;

    static Sheet of(Scene scene, TimeAxis axis, double lanes) {
        int nodes = scene.nodes().size();
        double pitch = nodes <= 3 ? 96 : nodes <= 5 ? 76 : nodes <= 8 ? 60 : nodes <= 16 ? 46 : 34;
        return new Sheet(scene, axis, lanes, pitch);
    }

    double x(int line) {
        return axis.x(scene.moments().of(line));
    }

    double start() {
        return axis.x(0);
    }

    double lane(NodeId node) {
        return lanes + pitch * scene.nodes().indexOf(node);
    }

    double lastLane() {
        return lanes + pitch * (scene.nodes().size() - 1);
    }

    double axisY() {
        return lastLane() + AXIS_BELOW_LANES;
    }

    double rows() {
        return axisY() + ROWS_BELOW_AXIS;
    }

    /** The upper edge of a node's row. */
    double row(NodeId node) {
        return rows() + ROW * scene.nodes().indexOf(node);
    }

    double bottom() {
        return rows() + ROW * scene.nodes().size();
    }
}
