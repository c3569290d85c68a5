package habemus.cli;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Nodes of which is written down when they are struck and when they are whole again. */
record Marked(Victims victims, Majority majority) implements Victims {

    @Override
    public List<Integer> nodes() {
        return victims.nodes();
    }

    @Override
    public List<Strikes.Kind> kinds() {
        return victims.kinds();
    }

    @Override
    public void kill(int node) {
        majority.struck(node, "killed");
        victims.kill(node);
    }

    @Override
    public void restart(int node) {
        victims.restart(node);
        majority.mended(node, "started");
    }

    @Override
    public void pause(int node, Duration time) throws InterruptedException {
        majority.struck(node, "stopped");
        victims.pause(node, time);
        majority.mended(node, "continued");
    }

    @Override
    public void cut(int node, Strikes.Kind how, Duration time, Random random) throws InterruptedException {
        majority.struck(node, how.words());
        victims.cut(node, how, time, random);
        majority.mended(node, "joined");
    }
}
