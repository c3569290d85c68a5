package habemus.world;

import habemus.protocol.Ranking;
import java.time.Duration;
import java.util.List;

/** Everything that surrounds an algorithm in a run, as data; with a seed it makes the run. */
public record World(
        Topology topology,
        Ranking ranking,
        NetworkModel networkModel,
        LatencyModel latencyModel,
        DetectorModel detectorModel,
        Workload workload,
        List<Fault.PlannedFault> faults) {

    /** @throws IllegalArgumentException if a call or a fault names a node that does not stand here */
    public World {
        faults = List.copyOf(faults);
        workload.requests().forEach(request -> topology.requireKnown(List.of(request.node())));
        faults.forEach(
                plannedFault -> topology.requireKnown(plannedFault.fault().nodes()));
    }

    /** A kind one: in order, a millisecond to five, a detector that is right after fifty; everybody asks once. */
    public static World of(Topology topology) {
        return new World(
                topology,
                Ranking.BY_NUMBER,
                NetworkModel.FIFO,
                new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(5)),
                new DetectorModel.Oracle(Duration.ofMillis(50)),
                Workload.once(topology.nodes()),
                List.of());
    }

    public World withRanking(Ranking next) {
        return new World(topology, next, networkModel, latencyModel, detectorModel, workload, faults);
    }

    public World withNetwork(NetworkModel next) {
        return new World(topology, ranking, next, latencyModel, detectorModel, workload, faults);
    }

    public World withLatency(LatencyModel next) {
        return new World(topology, ranking, networkModel, next, detectorModel, workload, faults);
    }

    public World withDetector(DetectorModel next) {
        return new World(topology, ranking, networkModel, latencyModel, next, workload, faults);
    }

    public World withWorkload(Workload next) {
        return new World(topology, ranking, networkModel, latencyModel, detectorModel, next, faults);
    }

    public World withFaults(List<Fault.PlannedFault> next) {
        return new World(topology, ranking, networkModel, latencyModel, detectorModel, workload, next);
    }
}
