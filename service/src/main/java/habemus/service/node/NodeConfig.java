package habemus.service.node;

import habemus.catalogue.Recipe;
import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.net.Secrecy;
import habemus.world.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a node is told when it starts. All but {@code me}, {@code data} and {@code record} must be the same everywhere.
 *
 * @param name of the cluster
 * @param locks the algorithm of every lock
 * @param elections the algorithm of every election
 * @param data where memories are kept; without it a node that crashes has forgotten everything
 * @param record where traces are written
 * @param gather how long to wait for all nodes before anything begins
 */
public record NodeConfig(
        String name,
        List<Member> members,
        NodeId me,
        Recipe locks,
        Recipe elections,
        Optional<Path> data,
        Optional<Path> record,
        Duration gather,
        Secrecy secrecy) {

    private static final Duration GATHER = Duration.ofSeconds(15);

    /** @throws IllegalArgumentException if the nodes are not n1 … nN, or {@code me} is none of them */
    public NodeConfig {
        members = List.copyOf(members);
        for (int number = 1; number <= members.size(); number++) {
            if (members.get(number - 1).node().number() != number) {
                throw new IllegalArgumentException("nodes are n1, n2 … in this order, but the cluster is " + members);
            }
        }
        if (me.number() > members.size()) {
            throw new IllegalArgumentException(me + " is none of " + members);
        }
    }

    /** Without disk, trace and secrecy. */
    public static NodeConfig of(List<Member> members, NodeId me, String locks, String elections) {
        return new NodeConfig(
                "habemus",
                members,
                me,
                Recipe.parse(locks, Problem.MUTEX),
                Recipe.parse(elections, Problem.ELECTION),
                Optional.empty(),
                Optional.empty(),
                GATHER,
                new Secrecy.None());
    }

    public NodeConfig keepingIn(Path folder) {
        return new NodeConfig(name, members, me, locks, elections, Optional.of(folder), record, gather, secrecy);
    }

    public NodeConfig recordingTo(Path folder) {
        return new NodeConfig(name, members, me, locks, elections, data, Optional.of(folder), gather, secrecy);
    }

    public NodeConfig gatheringFor(Duration next) {
        return new NodeConfig(name, members, me, locks, elections, data, record, next, secrecy);
    }

    public NodeConfig secretBy(Secrecy next) {
        return new NodeConfig(name, members, me, locks, elections, data, record, gather, next);
    }

    Recipe recipe(Problem problem) {
        return problem == Problem.MUTEX ? locks : elections;
    }
}
