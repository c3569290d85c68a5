package habemus.log.etcd;

import habemus.concurrent.EventLoop;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Where a log runs: real, or simulated.
 *
 * @param background encodes snapshots
 */
record EtcdEnvironment(KeyValueStore store, EventLoop loop, Executor background, RandomGenerator random) {}
