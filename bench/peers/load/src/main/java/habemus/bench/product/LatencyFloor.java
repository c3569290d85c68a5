package habemus.bench.product;

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

/** Measures lower bounds of latency: a synced write, and a round trip to another process. */
final class LatencyFloor {

    private static final int WRITE_BYTES = 128;
    private static final int MESSAGE_BYTES = 64;
    private static final int ECHO_PORT = 9;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The other process: echoes what it receives, one connection at a time. */
    static final class Echo {

        private Echo() {}

        public static void main(String... args) throws IOException {
            try (var listener = new ServerSocket(Integer.parseInt(args[0]), 1, InetAddress.getLoopbackAddress())) {
                while (true) {
                    try (var connection = listener.accept()) {
                        connection.setTcpNoDelay(true);
                        var out = connection.getOutputStream();
                        for (var frame = connection.getInputStream().readNBytes(MESSAGE_BYTES);
                                frame.length == MESSAGE_BYTES;
                                frame = connection.getInputStream().readNBytes(MESSAGE_BYTES)) {
                            out.write(frame);
                        }
                    }
                }
            }
        }
    }

    private interface Operation {
        void run() throws IOException;
    }

    private LatencyFloor() {}

    static Map<String, Double> measure(BenchmarkStep.MeasureFloor measureFloor, RunFolder folder)
            throws IOException, InterruptedException {
        return Map.of(
                StepResult.SYNC_P50_MICROS,
                sync(measureFloor.seconds() / 2, folder),
                StepResult.ROUND_TRIP_P50_MICROS,
                roundTrip(measureFloor.seconds() / 2, folder));
    }

    private static double sync(double seconds, RunFolder folder) throws IOException {
        var block = ByteBuffer.allocateDirect(WRITE_BYTES);
        var file = folder.folder().resolve("floor");
        try (var log = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            return median(seconds, () -> {
                log.write(block.clear());
                log.force(false);
            });
        }
    }

    private static double roundTrip(double seconds, RunFolder folder) throws IOException, InterruptedException {
        int port = folder.port(0, ECHO_PORT);
        var echo = new NodeProcess(
                folder.javaCommand(List.of(), Echo.class.getName(), List.of(Integer.toString(port))), port);
        try (var process = new NodeProcesses(List.of(echo), folder.folder())) {
            process.start();
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                var frame = new byte[MESSAGE_BYTES];
                return median(seconds, () -> {
                    socket.getOutputStream().write(frame);
                    socket.getInputStream().readNBytes(MESSAGE_BYTES);
                });
            }
        }
    }

    /** The median in microseconds. The first half of the time is warm-up. */
    private static double median(double seconds, Operation operation) throws IOException {
        var times = new Histogram(LONGEST_NANOS, 3);
        long begin = System.nanoTime();
        long half = begin + (long) (seconds / 2 * 1e9);
        long end = begin + (long) (seconds * 1e9);
        for (long now = begin; now < end; ) {
            operation.run();
            long then = System.nanoTime();
            if (now > half) {
                times.recordValue(Math.min(LONGEST_NANOS, then - now));
            }
            now = then;
        }
        return times.getValueAtPercentile(50) / 1e3;
    }
}
