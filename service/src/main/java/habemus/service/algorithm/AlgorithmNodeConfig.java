package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import habemus.world.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a node is told when it starts. All but {@code me}, {@code data} and {@code record} must be the same everywhere.
 *
 * @param cluster of the cluster
 * @param lockAlgorithm the algorithm of every lock
 * @param electionAlgorithm the algorithm of every election
 * @param dataFolder where memories are kept; without it a node that crashes has forgotten everything
 * @param traceFolder where traces are written
 * @param startupWait how long to wait for all nodes before anything begins
 */
public record AlgorithmNodeConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        AlgorithmSpec lockAlgorithm,
        AlgorithmSpec electionAlgorithm,
        Optional<Path> dataFolder,
        Optional<Path> traceFolder,
        Duration startupWait,
        TransportSecurity transportSecurity) {

    private static final Duration DEFAULT_STARTUP_WAIT = Duration.ofSeconds(15);

    /** @throws IllegalArgumentException if the nodes are not n1 … nN, or {@code me} is none of them */
    public AlgorithmNodeConfig {
        members = List.copyOf(members);
        for (int number = 1; number <= members.size(); number++) {
            if (members.get(number - 1).node().number() != number) {
                throw new IllegalArgumentException("nodes are n1, n2 … in this order, but the cluster is " + members);
            }
        }
        if (self.number() > members.size()) {
            throw new IllegalArgumentException(self + " is none of " + members);
        }
    }

    /** Without disk, trace and secrecy. */
    public static AlgorithmNodeConfig of(List<Member> members, NodeId me, String locks, String elections) {
        return new AlgorithmNodeConfig(
                "habemus",
                members,
                me,
                AlgorithmSpec.parse(locks, Problem.MUTEX),
                AlgorithmSpec.parse(elections, Problem.ELECTION),
                Optional.empty(),
                Optional.empty(),
                DEFAULT_STARTUP_WAIT,
                new TransportSecurity.None());
    }

    public AlgorithmNodeConfig withDataFolder(Path folder) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                lockAlgorithm,
                electionAlgorithm,
                Optional.of(folder),
                traceFolder,
                startupWait,
                transportSecurity);
    }

    public AlgorithmNodeConfig withTraceFolder(Path folder) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                lockAlgorithm,
                electionAlgorithm,
                dataFolder,
                Optional.of(folder),
                startupWait,
                transportSecurity);
    }

    public AlgorithmNodeConfig withStartupWait(Duration next) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                lockAlgorithm,
                electionAlgorithm,
                dataFolder,
                traceFolder,
                next,
                transportSecurity);
    }

    public AlgorithmNodeConfig withTransportSecurity(TransportSecurity next) {
        return new AlgorithmNodeConfig(
                cluster, members, self, lockAlgorithm, electionAlgorithm, dataFolder, traceFolder, startupWait, next);
    }

    AlgorithmSpec algorithm(Problem problem) {
        return problem == Problem.MUTEX ? lockAlgorithm : electionAlgorithm;
    }
}
