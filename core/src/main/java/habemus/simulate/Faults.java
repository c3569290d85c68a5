package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.TraceLine;

/** What goes wrong in a run, when its time has come. */
final class Faults {

    private final Run<?, ?> run;
    private final Links links;
    private final Watch watch;
    private final Health health;
    private final Journal journal;

    Faults(Run<?, ?> run, Links links, Watch watch, Health health, Journal journal) {
        this.run = run;
        this.links = links;
        this.watch = watch;
        this.health = health;
        this.journal = journal;
    }

    void strike(Fault fault) {
        journal.write(new TraceLine.Struck(run.now(), fault));
        switch (fault) {
            case Fault.Crash(var node) -> run.crash(node);
            case Fault.Restart(var node, var amnesia) -> run.restart(node, amnesia);
            case Fault.Pause(var node) -> pause(node);
            case Fault.Resume(var node) -> resume(node);
            case Fault.Cut cut -> {
                links.cut(cut);
                run.see(new Happening.Parted(cut));
            }
            case Fault.Mend(var cut) -> {
                if (links.mend(cut)) {
                    run.see(new Happening.Mended(cut));
                }
            }
            case Fault.Slow slow -> links.slow(slow);
            case Fault.Mistake mistake -> watch.begin(mistake);
            case Fault.Correct(var node, var peer) -> watch.end(node, peer);
            case Fault.Heal() -> heal();
        }
    }

    private void pause(NodeId node) {
        if (health.isUp(node.number())) {
            health.pause(node.number());
            run.see(new Happening.Paused(node));
        }
    }

    private void resume(NodeId node) {
        if (health.isPaused(node.number())) {
            run.see(new Happening.Resumed(node));
            run.replay(health.resume(node.number()));
            watch.resume(node);
        }
    }

    private void heal() {
        links.heal().forEach(cut -> run.see(new Happening.Mended(cut)));
        run.nodes().forEach(this::resume);
        watch.endAll();
    }
}
