package habemus.harness.simulation;

import habemus.concurrent.EventLoop;
import habemus.protocol.NodeId;
import habemus.service.log.ReplicatedLog;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** A simulated engine, such as a database, on which all nodes of a run have their logs. It outlives them. */
public interface SimulatedEngine {

    /** The time of the run, in which the engine answers later. */
    interface Clock {

        /** Nanoseconds since the start of the run. */
        long now();

        void after(long nanos, Runnable action);

        /** Adds a line to the trace of the run. */
        void line(String text);
    }

    /**
     * Where one life of a node runs.
     *
     * @param loop ends with the life
     * @param background runs tasks later, until the life ends
     */
    record Host(NodeId node, EventLoop loop, Executor background, RandomGenerator random) {}

    /** Creates the engine of a run. */
    interface Factory {

        /** @param healedNanos from this time on the engine has no faults */
        SimulatedEngine create(Clock clock, RandomGenerator random, long healedNanos);
    }

    /** Opens the real log of a node on this engine. */
    ReplicatedLog open(Host host);
}
