package habemus.service.log;

import habemus.service.transport.Member;
import java.time.Duration;
import java.util.Optional;

/**
 * The configuration of a log on an engine that the user runs, such as a database.
 *
 * @param engine where it is
 * @param cluster the name of the cluster; clusters with other names have other logs on the same engine
 * @param self this node; port 0 if other clients cannot connect to it
 * @param proposalTimeout time after which a proposal fails
 * @param snapshotThresholdBytes size of the log at which a snapshot replaces its entries
 */
public record EngineConfig(
        Engine engine, String cluster, Member self, Duration proposalTimeout, long snapshotThresholdBytes) {

    private static final Duration DEFAULT_PROPOSAL_TIMEOUT = Duration.ofSeconds(10);

    /**
     * @param spec such as {@code jdbc:postgresql://HOST/DATABASE}; its beginning names the engine
     * @param client an object of the application that reaches the engine, such as a {@code DataSource}; without it, the
     *     address is in the specification
     */
    public record Engine(String spec, Optional<Object> client) {

        /** Shows no password that the specification has. */
        @Override
        public String toString() {
            return spec.replaceAll("(?i)(password=)[^&;,]*", "$1…").replaceAll("//[^/@]*@", "//…@");
        }
    }

    public static EngineConfig of(Engine engine, String cluster, Member self, long snapshotThresholdBytes) {
        return new EngineConfig(engine, cluster, self, DEFAULT_PROPOSAL_TIMEOUT, snapshotThresholdBytes);
    }

    public EngineConfig withProposalTimeout(Duration timeout) {
        return new EngineConfig(engine, cluster, self, timeout, snapshotThresholdBytes);
    }

    public EngineConfig withSnapshotThreshold(long bytes) {
        return new EngineConfig(engine, cluster, self, proposalTimeout, bytes);
    }
}
