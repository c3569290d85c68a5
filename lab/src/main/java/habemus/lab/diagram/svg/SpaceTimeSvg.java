package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;

/** The space-time diagram: time to the right, a lane for each node, an arrow for each message. */
final class SpaceTimeSvg {

    private SpaceTimeSvg() {}

    static SvgElement draw(PageLayout pageLayout, Palette palette) {
        var lanes = new LanesSvg(pageLayout, palette);
        var group = SvgElement.group("space-time");
        if (pageLayout.diagramModel().detailLevel() == DetailLevel.AGGREGATED) {
            var crowd = new AggregateSvg(pageLayout);
            group.add(crowd.drawHeat())
                    .add(crowd.drawBundles())
                    .add(lanes.draw())
                    .add(crowd.drawFailures());
        } else {
            group.add(lanes.draw()).add(new ArrowsSvg(pageLayout, palette).draw());
        }
        return group.add(new StepsSvg(pageLayout, palette).draw()).add(lanes.drawCrashes());
    }
}
