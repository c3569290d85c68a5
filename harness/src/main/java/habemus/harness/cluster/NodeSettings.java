package habemus.harness.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What all nodes of a {@link ProcessCluster} are started with. Without algorithms, they run the lock service.
 *
 * @param lockAlgorithm the classic algorithm of every lock, with its options
 * @param electionAlgorithm the classic algorithm of every election, with its options
 * @param detector the failure detector of nodes with classic algorithms, with its options
 * @param startupWait how long a node waits for its peers before it starts
 * @param dataFolder in which each node gets a folder of its own
 * @param traceFolder in which all nodes record their steps
 * @param hasEmbeddedLoad whether the nodes run benchmark clients inside, see {@link habemus.harness.bench.EmbeddedLoad}
 * @param isVerbose whether the nodes log what their libraries log
 */
public record NodeSettings(
        Optional<String> lockAlgorithm,
        Optional<String> electionAlgorithm,
        Optional<String> detector,
        Optional<Duration> startupWait,
        Optional<Path> dataFolder,
        Optional<Path> traceFolder,
        boolean hasEmbeddedLoad,
        boolean isVerbose) {

    public static final NodeSettings DEFAULT = new NodeSettings(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            false);

    public NodeSettings withLockAlgorithm(String algorithm) {
        return new NodeSettings(
                Optional.of(algorithm),
                electionAlgorithm,
                detector,
                startupWait,
                dataFolder,
                traceFolder,
                hasEmbeddedLoad,
                isVerbose);
    }

    public NodeSettings withElectionAlgorithm(String algorithm) {
        return new NodeSettings(
                lockAlgorithm,
                Optional.of(algorithm),
                detector,
                startupWait,
                dataFolder,
                traceFolder,
                hasEmbeddedLoad,
                isVerbose);
    }

    public NodeSettings withDetector(String algorithm) {
        return new NodeSettings(
                lockAlgorithm,
                electionAlgorithm,
                Optional.of(algorithm),
                startupWait,
                dataFolder,
                traceFolder,
                hasEmbeddedLoad,
                isVerbose);
    }

    public NodeSettings withStartupWait(Duration wait) {
        return new NodeSettings(
                lockAlgorithm,
                electionAlgorithm,
                detector,
                Optional.of(wait),
                dataFolder,
                traceFolder,
                hasEmbeddedLoad,
                isVerbose);
    }

    public NodeSettings withFolders(Optional<Path> data, Optional<Path> traces) {
        return new NodeSettings(
                lockAlgorithm, electionAlgorithm, detector, startupWait, data, traces, hasEmbeddedLoad, isVerbose);
    }

    public NodeSettings withEmbeddedLoad() {
        return new NodeSettings(
                lockAlgorithm, electionAlgorithm, detector, startupWait, dataFolder, traceFolder, true, isVerbose);
    }

    public NodeSettings withVerbose(boolean verbose) {
        return new NodeSettings(
                lockAlgorithm,
                electionAlgorithm,
                detector,
                startupWait,
                dataFolder,
                traceFolder,
                hasEmbeddedLoad,
                verbose);
    }
}
