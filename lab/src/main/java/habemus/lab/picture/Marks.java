package habemus.lab.picture;

import static habemus.lab.picture.Svg.number;

/** The small signs of a picture. */
final class Marks {

    private Marks() {}

    static Svg cross(String look, double x, double y, double radius) {
        return Svg.path(
                look,
                "M" + at(x - radius, y - radius) + "L" + at(x + radius, y + radius) + "M" + at(x - radius, y + radius)
                        + "L" + at(x + radius, y - radius));
    }

    /** Standing on (x, y). */
    static Svg crown(double x, double y) {
        return Svg.path(
                "crown",
                "M" + at(x - 8, y) + "L" + at(x - 9, y - 9) + "L" + at(x - 4, y - 5) + "L" + at(x, y - 11) + "L"
                        + at(x + 4, y - 5) + "L" + at(x + 9, y - 9) + "L" + at(x + 8, y) + "Z");
    }

    static Svg restart(boolean amnesia, double x, double y) {
        return Svg.path(
                amnesia ? "amnesia" : "restart",
                "M" + at(x - 5, y - 7) + "L" + at(x + 7, y) + "L" + at(x - 5, y + 7) + "Z");
    }

    private static String at(double x, double y) {
        return number(x) + " " + number(y);
    }
}
