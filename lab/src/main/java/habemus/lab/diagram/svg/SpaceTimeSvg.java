package habemus.lab.diagram.svg;

import habemus.lab.diagram.model.DetailLevel;

/** Draws the space-time diagram: time runs to the right, each node has a lane, each message an arrow. */
final class SpaceTimeSvg {

    private SpaceTimeSvg() {}

    static SvgElement draw(PageLayout layout, Palette palette) {
        var lanes = new LanesSvg(layout, palette);
        var group = SvgElement.group("space-time");
        if (layout.model().detailLevel() == DetailLevel.AGGREGATED) {
            var aggregate = new AggregateSvg(layout);
            group.add(aggregate.drawHeat())
                    .add(aggregate.drawBundles())
                    .add(lanes.draw())
                    .add(aggregate.drawFailures());
        } else {
            group.add(lanes.draw()).add(new ArrowsSvg(layout, palette).draw());
        }
        return group.add(new StepsSvg(layout, palette).draw()).add(lanes.drawCrashes());
    }
}
