package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ConnectionThreadsTest {

    private static List<Thread> start(int number, CountDownLatch end) {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < number; i++) {
            var thread = ConnectionThreads.unstarted("waits", () -> {
                try {
                    end.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    @Test
    void the_first_threads_are_platform_threads_and_ended_ones_are_replaced() throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            var end = new CountDownLatch(1);
            var threads = start(1_000, end);
            assertThat(threads.stream().filter(thread -> !thread.isVirtual()))
                    .hasSize(ConnectionThreads.MAX_PLATFORM_THREADS);
            assertThat(threads.subList(ConnectionThreads.MAX_PLATFORM_THREADS, threads.size()))
                    .allMatch(Thread::isVirtual);
            end.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
