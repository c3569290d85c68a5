package habemus.log.etcd;

import habemus.protocol.NodeId;
import habemus.service.log.LogHealth;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this node knows of the health of etcd. Changes on the loop, and is read by any thread. */
final class EngineHealth {

    private static final Logger LOG = LoggerFactory.getLogger(EngineHealth.class);

    /** Three quarters of the default quota of etcd, 2 GiB. */
    private static final long LARGE_DATABASE_BYTES = 3L << 29;

    private final NodeId self;
    private final String address;
    private volatile KeyValueStore.@Nullable Status status;
    private volatile Optional<StoreException> problem = Optional.empty();
    private boolean hasWarnedOfSize;

    EngineHealth(NodeId self, String address) {
        this.self = self;
        this.address = address;
    }

    /** Members of etcd that vote; zero if unknown. */
    int storeMembers() {
        var known = status;
        return known == null ? 0 : known.members();
    }

    LogHealth current() {
        var known = status;
        var engine = known == null
                ? "etcd at " + address
                : "etcd %s, members %d, database %d MB"
                        .formatted(known.version(), known.members(), known.databaseBytes() >> 20);
        return new LogHealth(
                engine,
                problem.map(cause -> cause.getMessage().lines().findFirst().orElse("")));
    }

    void onStatus(KeyValueStore.Status now) {
        if (status == null && now.members() < 3) {
            LOG.warn("etcd not fault tolerant node={} members={} hint=\"use three members\"", self, now.members());
        }
        status = now;
        boolean isLarge = now.databaseBytes() > LARGE_DATABASE_BYTES;
        if (isLarge && !hasWarnedOfSize) {
            LOG.warn(
                    "etcd database is large node={} bytes={} hint=\"start etcd with --auto-compaction-retention\"",
                    self,
                    now.databaseBytes());
        }
        hasWarnedOfSize = isLarge;
    }

    void onFailure(StoreException cause) {
        if (problem.isEmpty() || problem.get().kind() != cause.kind()) {
            LOG.warn(
                    "log not available node={} problem=\"{}\"",
                    self,
                    cause.getMessage().replace("\n", "; "));
        }
        problem = Optional.of(cause);
    }

    void onSuccess() {
        if (problem.isPresent()) {
            LOG.info("log available again node={}", self);
            problem = Optional.empty();
        }
    }
}
