package habemus.lab.picture;

import habemus.world.TraceLine;

/** How much of a run is drawn by itself. */
enum Grain {
    /** Every moment has room of its own. */
    ROOMY,
    /** Every step is drawn, as close to others as can be told apart. */
    CLOSE,
    /** Only what matters is drawn by itself; steps and messages are counted. */
    COARSE;

    private static final int ROOMY_MOMENTS = 160;
    private static final int MOST_STEPS = 3_000;

    static Grain of(Scene scene) {
        if (scene.moments().count() <= ROOMY_MOMENTS) {
            return ROOMY;
        }
        long steps =
                scene.lines().stream().filter(TraceLine.Acted.class::isInstance).count();
        return steps <= MOST_STEPS ? CLOSE : COARSE;
    }
}
