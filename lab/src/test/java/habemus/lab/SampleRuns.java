package habemus.lab;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.lab.trace.Recording;
import habemus.simulate.RunLimits;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.NetworkModel;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Recordings of some simulated runs. */
public final class SampleRuns {

    private SampleRuns() {}

    public static Recording ricartAgrawala(int nodes) {
        return run("ricart-agrawala", World.of(Topology.complete(nodes)));
    }

    public static Recording bullyWithCrash() {
        var crash = new Fault.PlannedFault(Duration.ofMillis(200), new Fault.Crash(TraceFixture.n(5)));
        return run("bully", World.of(Topology.complete(5)).withFaults(List.of(crash)));
    }

    public static Recording changRobertsOnLossyNetwork() {
        return run("chang-roberts", World.of(Topology.ring(6)).withNetwork(new NetworkModel(false, 0.1, 0.2)));
    }

    public static Recording run(String algorithm, World world) {
        var events = new ArrayList<TraceEvent>();
        var protocol = Catalogue.find(algorithm).orElseThrow().create(AlgorithmParameters.defaults());
        Simulation.of(protocol, world, 7)
                .withLimits(RunLimits.AMPLE.withMaxSteps(2_000))
                .withTrace(events::add)
                .run();
        return new Recording(algorithm, world.topology().nodes(), events);
    }
}
