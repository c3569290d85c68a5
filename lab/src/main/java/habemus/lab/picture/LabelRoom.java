package habemus.lab.picture;

import java.util.ArrayList;
import java.util.List;

/** The room between arrows and dots, and what of it is taken by labels already. */
final class LabelRoom {

    private static final double LETTER = 5.6;
    private static final double APART = 11;

    private record Point(double x, double y) {
        boolean touches(Point other) {
            return Math.abs(x - other.x) < APART && Math.abs(y - other.y) < APART;
        }
    }

    private final List<Point> taken = new ArrayList<>();

    void takeDot(double x, double y) {
        taken.add(new Point(x, y));
    }

    static double width(String words) {
        return words.length() * LETTER;
    }

    /** Takes the room for these words, centred here and turned by so many degrees, if all of it is free. */
    boolean take(double x, double y, double degrees, String words) {
        var needed = new ArrayList<Point>();
        double half = width(words) / 2;
        double cos = StrictMath.cos(Math.toRadians(degrees));
        double sin = StrictMath.sin(Math.toRadians(degrees));
        for (double along = -half; along <= half; along += LETTER) {
            needed.add(new Point(x + along * cos, y + along * sin));
        }
        boolean free = needed.stream().noneMatch(point -> taken.stream().anyMatch(point::touches));
        if (free) {
            taken.addAll(needed);
        }
        return free;
    }
}
