package habemus.lab.diagram.svg;

import java.util.ArrayList;
import java.util.List;

/** Places labels so that they cover neither dots nor other labels. */
final class LabelPlacement {

    private static final double CHARACTER_WIDTH = 5.6;
    private static final double MIN_DISTANCE = 11;

    private record Point(double x, double y) {
        boolean touches(Point other) {
            return Math.abs(x - other.x) < MIN_DISTANCE && Math.abs(y - other.y) < MIN_DISTANCE;
        }
    }

    private final List<Point> occupied = new ArrayList<>();

    void reserveDot(double x, double y) {
        occupied.add(new Point(x, y));
    }

    static double textWidth(String text) {
        return text.length() * CHARACTER_WIDTH;
    }

    /** Reserves the area of a text centred at (x, y) and rotated by some degrees. Returns false if it is not free. */
    boolean tryReserve(double x, double y, double degrees, String text) {
        var needed = new ArrayList<Point>();
        double half = textWidth(text) / 2;
        double cos = StrictMath.cos(Math.toRadians(degrees));
        double sin = StrictMath.sin(Math.toRadians(degrees));
        for (double along = -half; along <= half; along += CHARACTER_WIDTH) {
            needed.add(new Point(x + along * cos, y + along * sin));
        }
        boolean free = needed.stream().noneMatch(point -> occupied.stream().anyMatch(point::touches));
        if (free) {
            occupied.addAll(needed);
        }
        return free;
    }
}
