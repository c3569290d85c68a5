package habemus.lab.picture;

/** The space-time diagram: time to the right, a lane for each node, an arrow for each message. */
final class SpaceTimeSvg {

    private SpaceTimeSvg() {}

    static Svg draw(Sheet sheet, Palette palette) {
        var lanes = new LanesSvg(sheet, palette);
        var group = Svg.group("space-time");
        if (sheet.scene().grain() == Grain.COARSE) {
            var crowd = new CrowdSvg(sheet);
            group.add(crowd.drawHeat())
                    .add(crowd.drawBundles())
                    .add(lanes.draw())
                    .add(crowd.drawFailures());
        } else {
            group.add(lanes.draw()).add(new ArrowsSvg(sheet, palette).draw());
        }
        return group.add(new StepsSvg(sheet, palette).draw()).add(lanes.drawCrashes());
    }
}
