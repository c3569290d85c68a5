package habemus.lab;

import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.lab.trace.Recording;
import habemus.simulate.Limits;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.Network;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Recordings of simulated runs. */
public final class Runs {

    private Runs() {}

    public static Recording ricartAgrawala(int nodes) {
        return run("ricart-agrawala", World.of(Topology.complete(nodes)));
    }

    public static Recording bullyWithCrash() {
        var crash = new Fault.Planned(Duration.ofMillis(200), new Fault.Crash(Story.n(5)));
        return run("bully", World.of(Topology.complete(5)).struckBy(List.of(crash)));
    }

    public static Recording changRobertsInTrouble() {
        return run("chang-roberts", World.of(Topology.ring(6)).over(new Network(false, 0.1, 0.2)));
    }

    public static Recording run(String algorithm, World world) {
        var lines = new ArrayList<TraceLine>();
        var protocol = Catalogue.find(algorithm).orElseThrow().make(Setting.standard());
        Simulation.of(protocol, world, 7)
                .within(Limits.AMPLE.steps(2_000))
                .tracing(lines::add)
                .run();
        return new Recording(algorithm, world.topology().nodes(), lines);
    }
}
