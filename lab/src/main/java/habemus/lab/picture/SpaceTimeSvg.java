package habemus.lab.picture;

/** The space-time diagram: time to the right, a lane for each node, an arrow for each message. */
final class SpaceTimeSvg {

    private SpaceTimeSvg() {}

    static Svg draw(Sheet sheet, Palette palette) {
        var lanes = new LanesSvg(sheet, palette);
        return Svg.group("space-time")
                .add(lanes.draw())
                .add(new ArrowsSvg(sheet, palette).draw())
                .add(new StepsSvg(sheet, palette).draw())
                .add(lanes.drawCrashes());
    }
}
