package habemus.service.raft;

import habemus.concurrent.EventLoop;
import habemus.service.metrics.NodeMetrics;
import habemus.service.storage.Disk;
import habemus.service.transport.PeerHandshake;
import habemus.service.transport.Transport;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Where a log runs: real, or simulated.
 *
 * @param background writes snapshots
 * @param recorder records the steps of the machine
 */
public record LogEnvironment(
        EventLoop loop,
        Disk disk,
        Function<PeerHandshake, Transport> transport,
        Executor background,
        RandomGenerator random,
        LogRecorder recorder,
        NodeMetrics metrics) {}
