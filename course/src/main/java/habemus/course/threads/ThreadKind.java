package habemus.course.threads;

import com.google.gson.annotations.SerializedName;
import java.util.Locale;

/** The two kinds of threads of the JVM. */
public enum ThreadKind {
    /** A thread of the operating system, which interrupts it when its time slice ends. */
    @SerializedName("platform")
    PLATFORM,
    /** A thread of the JVM, which runs on a carrier thread until it blocks. */
    @SerializedName("virtual")
    VIRTUAL;

    /** A thread that has not started and does not keep the JVM alive. */
    public Thread unstarted(String name, Runnable task) {
        return switch (this) {
            case PLATFORM -> Thread.ofPlatform().daemon().name(name).unstarted(task);
            case VIRTUAL -> Thread.ofVirtual().name(name).unstarted(task);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
