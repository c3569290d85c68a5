package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.net.Secrecy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One node of a log.
 *
 * @param cluster its name: nodes of another are strangers
 * @param members of a log that begins; one that was begun knows its own, and looks for them there too
 * @param self one of them, or one that was or will be added to a log that was begun by the others
 * @param joining whether the others began it
 * @param data where it keeps its files, alone
 * @param patience after which a proposal is given up
 * @param room bytes of entries after which a snapshot is put in their place
 */
public record LogConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        boolean joining,
        Path data,
        Secrecy secrecy,
        Duration patience,
        long room) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long ROOM = 32L << 20;

    public static LogConfig of(List<Member> members, NodeId self, Path data) {
        return new LogConfig("habemus", members, self, false, data, new Secrecy.None(), PATIENCE, ROOM);
    }

    public LogConfig named(String name) {
        return new LogConfig(name, members, self, joining, data, secrecy, patience, room);
    }

    public LogConfig keeping(Secrecy how) {
        return new LogConfig(cluster, members, self, joining, data, how, patience, room);
    }

    public LogConfig joiningOthers() {
        return new LogConfig(cluster, members, self, true, data, secrecy, patience, room);
    }

    public LogConfig waitingFor(Duration time) {
        return new LogConfig(cluster, members, self, joining, data, secrecy, time, room);
    }

    public LogConfig compactingAfter(long bytes) {
        return new LogConfig(cluster, members, self, joining, data, secrecy, patience, bytes);
    }
}
