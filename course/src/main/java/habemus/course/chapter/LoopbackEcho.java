package habemus.course.chapter;

import java.io.Closeable;
import java.net.SocketAddress;
import java.util.Set;

/** A server on the loopback interface that sends back every byte. */
interface LoopbackEcho extends Closeable {

    SocketAddress address();

    /** The threads that have served a connection. */
    Set<Thread> threads();
}
