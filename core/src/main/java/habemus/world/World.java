package habemus.world;

import habemus.protocol.Ranking;
import java.time.Duration;
import java.util.List;

/** Everything that surrounds an algorithm in a run, as data; with a seed it makes the run. */
public record World(
        Topology topology,
        Ranking ranking,
        Network network,
        Latency latency,
        Detector detector,
        Workload workload,
        List<Fault.Planned> faults) {

    /** @throws IllegalArgumentException if a call or a fault names a node that does not stand here */
    public World {
        faults = List.copyOf(faults);
        workload.calls().forEach(call -> topology.require(List.of(call.node())));
        faults.forEach(planned -> topology.require(planned.fault().nodes()));
    }

    /** A kind one: in order, a millisecond to five, a detector that is right after fifty; everybody asks once. */
    public static World of(Topology topology) {
        return new World(
                topology,
                Ranking.BY_NUMBER,
                Network.FIFO,
                new Latency.Uniform(Duration.ofMillis(1), Duration.ofMillis(5)),
                new Detector.Oracle(Duration.ofMillis(50)),
                Workload.once(topology.nodes()),
                List.of());
    }

    public World ranked(Ranking next) {
        return new World(topology, next, network, latency, detector, workload, faults);
    }

    public World over(Network next) {
        return new World(topology, ranking, next, latency, detector, workload, faults);
    }

    public World taking(Latency next) {
        return new World(topology, ranking, network, next, detector, workload, faults);
    }

    public World watchedBy(Detector next) {
        return new World(topology, ranking, network, latency, next, workload, faults);
    }

    public World wanting(Workload next) {
        return new World(topology, ranking, network, latency, detector, next, faults);
    }

    public World struckBy(List<Fault.Planned> next) {
        return new World(topology, ranking, network, latency, detector, workload, next);
    }
}
