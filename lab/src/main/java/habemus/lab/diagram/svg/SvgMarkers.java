package habemus.lab.diagram.svg;

import static habemus.lab.diagram.svg.SvgElement.formatNumber;

/** The symbols of a diagram: crosses, crowns, restarts. */
final class SvgMarkers {

    private SvgMarkers() {}

    static SvgElement cross(String cssClass, double x, double y, double radius) {
        return SvgElement.path(
                cssClass,
                "M" + at(x - radius, y - radius) + "L" + at(x + radius, y + radius) + "M" + at(x - radius, y + radius)
                        + "L" + at(x + radius, y - radius));
    }

    /** A crown whose foot is at (x, y). */
    static SvgElement crown(double x, double y) {
        return SvgElement.path(
                "crown",
                "M" + at(x - 8, y) + "L" + at(x - 9, y - 9) + "L" + at(x - 4, y - 5) + "L" + at(x, y - 11) + "L"
                        + at(x + 4, y - 5) + "L" + at(x + 9, y - 9) + "L" + at(x + 8, y) + "Z");
    }

    static SvgElement restart(boolean amnesia, double x, double y) {
        return SvgElement.path(
                amnesia ? "amnesia" : "restart",
                "M" + at(x - 5, y - 7) + "L" + at(x + 7, y) + "L" + at(x - 5, y + 7) + "Z");
    }

    private static String at(double x, double y) {
        return formatNumber(x) + " " + formatNumber(y);
    }
}
