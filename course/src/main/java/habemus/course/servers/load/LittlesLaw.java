package habemus.course.servers.load;

import java.time.Duration;

/** Little's law, L = λW: a system with λ arrivals a second that stay for W seconds has L of them on average. */
public final class LittlesLaw {

    private LittlesLaw() {}

    /** L: the requests in the system. */
    public static double inSystem(double arrivalsPerSecond, double seconds) {
        return arrivalsPerSecond * seconds;
    }

    /** The fewest threads that are not all busy all the time: more than L threads are needed. */
    public static int fewestThreads(double arrivalsPerSecond, Duration serviceTime) {
        return (int) Math.floor(inSystem(arrivalsPerSecond, serviceTime.toNanos() / 1e9)) + 1;
    }

    /** The most requests a second that this many threads serve: all of them are busy, so L is their number. */
    public static double mostPerSecond(int threads, Duration serviceTime) {
        return threads / (serviceTime.toNanos() / 1e9);
    }
}
