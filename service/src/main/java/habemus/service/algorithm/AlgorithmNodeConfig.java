package habemus.service.algorithm;

import habemus.catalogue.AlgorithmSpec;
import habemus.protocol.NodeId;
import habemus.service.storage.OwnerOnly;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import habemus.world.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of an {@link AlgorithmNode}. All but {@code self} and the folders must be the same on all nodes.
 *
 * @param cluster name of the cluster
 * @param members of the start; for a node that joins, the members that it knows and itself
 * @param joins whether the node joins a running cluster
 * @param lockAlgorithm of every lock
 * @param electionAlgorithm of every election
 * @param detector the failure detector beneath all locks and elections
 * @param dataFolder for durable state; without it, a node that restarts has forgotten everything
 * @param traceFolder in which the node records its steps; empty for no traces
 * @param startupWait how long a starting node waits for its peers
 */
public record AlgorithmNodeConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        boolean joins,
        AlgorithmSpec lockAlgorithm,
        AlgorithmSpec electionAlgorithm,
        AlgorithmSpec detector,
        Optional<Path> dataFolder,
        Optional<Path> traceFolder,
        Duration startupWait,
        TransportSecurity transportSecurity) {

    /**
     * Rather late than wrong: a wrong suspicion harms most classic algorithms more than a late one. The window is long,
     * so that one late heartbeat changes the detection time little.
     */
    public static final String DEFAULT_DETECTOR = "phi-accrual --period 1000 --window 20";

    /** The silence after which the default detector suspects a peer whose heartbeats came in time. */
    public static final Duration DEFAULT_DETECTION_TIME = Duration.ofMillis(2_500);

    private static final Duration DEFAULT_STARTUP_WAIT = Duration.ofSeconds(15);

    /**
     * @throws IllegalArgumentException if the members are not n1 … nN, or {@code self} is none of them; for a node that
     *     joins, n1 must be a member
     */
    public AlgorithmNodeConfig {
        members = members.stream().sorted(Comparator.comparing(Member::node)).toList();
        if (members.stream().map(Member::node).noneMatch(self::equals)) {
            throw new IllegalArgumentException("the node must be one of the members " + members + ", was " + self);
        }
        if (joins) {
            requireJoins(members, self);
        } else {
            requireStart(members);
        }
    }

    private static void requireJoins(List<Member> members, NodeId self) {
        if (members.getFirst().node().number() != 1 || self.number() == 1) {
            throw new IllegalArgumentException("the members must be n1 and the node that joins, were " + members);
        }
    }

    private static void requireStart(List<Member> members) {
        for (int number = 1; number <= members.size(); number++) {
            if (members.get(number - 1).node().number() != number) {
                throw new IllegalArgumentException("the members must be n1, n2, … in this order, were " + members);
            }
        }
    }

    /** Without durable state, traces and encryption. */
    public static AlgorithmNodeConfig of(List<Member> members, NodeId self, String locks, String elections) {
        return of(members, self, false, locks, elections);
    }

    /** A node that joins a running cluster, without durable state, traces and encryption. */
    public static AlgorithmNodeConfig ofJoining(List<Member> members, NodeId self, String locks, String elections) {
        return of(members, self, true, locks, elections);
    }

    private static AlgorithmNodeConfig of(
            List<Member> members, NodeId self, boolean joins, String locks, String elections) {
        return new AlgorithmNodeConfig(
                "habemus",
                members,
                self,
                joins,
                AlgorithmSpec.parse(locks, Problem.MUTEX),
                AlgorithmSpec.parse(elections, Problem.ELECTION),
                AlgorithmSpec.parse(DEFAULT_DETECTOR, Problem.DETECTOR),
                Optional.empty(),
                Optional.empty(),
                DEFAULT_STARTUP_WAIT,
                new TransportSecurity.None());
    }

    public AlgorithmNodeConfig withDetector(AlgorithmSpec next) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                joins,
                lockAlgorithm,
                electionAlgorithm,
                next,
                dataFolder,
                traceFolder,
                startupWait,
                transportSecurity);
    }

    public AlgorithmNodeConfig withDataFolder(Path folder) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                joins,
                lockAlgorithm,
                electionAlgorithm,
                detector,
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
                joins,
                lockAlgorithm,
                electionAlgorithm,
                detector,
                dataFolder,
                Optional.of(folder),
                startupWait,
                transportSecurity);
    }

    public AlgorithmNodeConfig withStartupWait(Duration wait) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                joins,
                lockAlgorithm,
                electionAlgorithm,
                detector,
                dataFolder,
                traceFolder,
                wait,
                transportSecurity);
    }

    public AlgorithmNodeConfig withTransportSecurity(TransportSecurity next) {
        return new AlgorithmNodeConfig(
                cluster,
                members,
                self,
                joins,
                lockAlgorithm,
                electionAlgorithm,
                detector,
                dataFolder,
                traceFolder,
                startupWait,
                next);
    }

    /** This node, with its address for the others. */
    public Member selfMember() {
        return members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow();
    }

    void createFolders() {
        try {
            for (var folder : List.of(dataFolder, traceFolder)) {
                if (folder.isPresent()) {
                    OwnerOnly.createFolder(folder.get());
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    AlgorithmSpec algorithm(Problem problem) {
        return problem == Problem.MUTEX ? lockAlgorithm : electionAlgorithm;
    }
}
