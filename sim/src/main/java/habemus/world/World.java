package habemus.world;

import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The environment of an algorithm in a run, as data. A world and a seed determine the run. */
public record World(
        Topology topology,
        Ranking ranking,
        NetworkModel network,
        LatencyModel latency,
        DetectorModel detector,
        Workload workload,
        List<Fault.PlannedFault> faults,
        List<MessageFault> messageFaults) {

    /** @throws IllegalArgumentException if a request or a fault names a node that is not in the topology */
    public World {
        faults = List.copyOf(faults);
        messageFaults = List.copyOf(messageFaults);
        workload.requests().forEach(request -> topology.requireKnown(List.of(request.node())));
        workload.furtherRequests().forEach(request -> topology.requireKnown(List.of(request.node())));
        faults.forEach(planned -> topology.requireKnown(planned.fault().nodes()));
    }

    /**
     * A world without faults: FIFO links, a latency of 1 to 5 ms, an oracle detector with a delay of 50 ms. Every node
     * makes one request.
     */
    public static World of(Topology topology) {
        return new World(
                topology,
                Ranking.BY_NUMBER,
                NetworkModel.FIFO,
                new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(5)),
                new DetectorModel.Oracle(Duration.ofMillis(50)),
                Workload.once(topology.nodes()),
                List.of(),
                List.of());
    }

    /** The nodes that are no members at the start, because they join later. */
    public NodeSet joiners() {
        var joiners = NodeSet.NONE;
        for (var planned : faults) {
            joiners = planned.fault() instanceof Fault.Join(var node) ? joiners.with(node) : joiners;
        }
        return joiners;
    }

    /** Adds nodes that are no members at the start, and join at this time. */
    public World withJoiners(NodeSet nodes, Duration at) {
        var more = new ArrayList<>(faults);
        nodes.forEach(node -> more.add(new Fault.PlannedFault(at, new Fault.Join(node))));
        return new World(
                topology.completedWith(nodes), ranking, network, latency, detector, workload, more, messageFaults);
    }

    public World withRanking(Ranking next) {
        return new World(topology, next, network, latency, detector, workload, faults, messageFaults);
    }

    public World withNetwork(NetworkModel next) {
        return new World(topology, ranking, next, latency, detector, workload, faults, messageFaults);
    }

    public World withLatency(LatencyModel next) {
        return new World(topology, ranking, network, next, detector, workload, faults, messageFaults);
    }

    public World withDetector(DetectorModel next) {
        return new World(topology, ranking, network, latency, next, workload, faults, messageFaults);
    }

    public World withWorkload(Workload next) {
        return new World(topology, ranking, network, latency, detector, next, faults, messageFaults);
    }

    public World withFaults(List<Fault.PlannedFault> next) {
        return new World(topology, ranking, network, latency, detector, workload, next, messageFaults);
    }

    public World withMessageFaults(List<MessageFault> next) {
        return new World(topology, ranking, network, latency, detector, workload, faults, next);
    }

    /** The longest time that a message takes, if there is one; without partitions, slow links and their kinds. */
    public Optional<Duration> longestDelay() {
        var fault = messageFaults.stream()
                .map(each -> each instanceof MessageFault.Delay delay ? delay.by() : Duration.ZERO)
                .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other);
        return latency.longest().map(fault::plus);
    }
}
