package habemus.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What no product can be faster than: one write that is synced, and one way to another process and back. */
final class Floor {

    private static final int WRITTEN = 128; // bytes
    private static final int SENT = 64;
    private static final int PORT = 9;
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    /** The other process: sends back what comes, for the one that connects. */
    static final class Echo {

        private Echo() {}

        public static void main(String... args) throws IOException {
            try (var door = new ServerSocket(Integer.parseInt(args[0]), 1, InetAddress.getLoopbackAddress())) {
                while (true) {
                    try (var caller = door.accept()) {
                        caller.setTcpNoDelay(true);
                        var out = caller.getOutputStream();
                        for (var frame = caller.getInputStream().readNBytes(SENT);
                                frame.length == SENT;
                                frame = caller.getInputStream().readNBytes(SENT)) {
                            out.write(frame);
                        }
                    }
                }
            }
        }
    }

    private interface Once {
        void run() throws IOException;
    }

    private Floor() {}

    static Map<String, Double> measure(Step.Floor floor, Site site) throws IOException, InterruptedException {
        return Map.of(Answer.SYNC, sync(floor.seconds() / 2, site), Answer.TRIP, trip(floor.seconds() / 2, site));
    }

    private static double sync(double seconds, Site site) throws IOException {
        var block = ByteBuffer.allocateDirect(WRITTEN);
        var file = site.folder().resolve("floor");
        try (var log = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            return median(seconds, () -> {
                log.write(block.clear());
                log.force(false);
            });
        }
    }

    private static double trip(double seconds, Site site) throws IOException, InterruptedException {
        int port = site.port(0, PORT);
        var echo = new Node(site.java(List.of(), Echo.class.getName(), List.of(Integer.toString(port))), port);
        try (var process = new Processes(List.of(echo), site.folder())) {
            process.start();
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                var frame = new byte[SENT];
                return median(seconds, () -> {
                    socket.getOutputStream().write(frame);
                    socket.getInputStream().readNBytes(SENT);
                });
            }
        }
    }

    /** In microseconds; the first half is not counted. */
    private static double median(double seconds, Once once) throws IOException {
        var times = new Histogram(LONGEST, 3);
        long begin = System.nanoTime();
        long half = begin + (long) (seconds / 2 * 1e9);
        long end = begin + (long) (seconds * 1e9);
        for (long now = begin; now < end; ) {
            once.run();
            long then = System.nanoTime();
            if (now > half) {
                times.recordValue(Math.min(LONGEST, then - now));
            }
            now = then;
        }
        return times.getValueAtPercentile(50) / 1e3;
    }
}
