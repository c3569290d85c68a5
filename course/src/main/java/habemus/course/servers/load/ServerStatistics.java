package habemus.course.servers.load;

import com.google.gson.Gson;
import habemus.course.servers.CoordinatorServer;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of a server process at one time.
 *
 * @param threads live platform threads, those of the JVM included
 * @param connections open connections
 * @param refused requests refused since the start
 * @param queues waiting requests by stage
 */
public record ServerStatistics(int threads, int connections, long refused, Map<String, Integer> queues) {

    static ServerStatistics of(CoordinatorServer server) {
        Map<String, Integer> queues = new LinkedHashMap<>();
        server.queues().forEach(queue -> queues.put(queue.stage(), queue.length()));
        return new ServerStatistics(
                ManagementFactory.getThreadMXBean().getThreadCount(),
                server.connections().open(),
                server.connections().refused(),
                queues);
    }

    String toJson() {
        return new Gson().toJson(this);
    }

    static ServerStatistics parse(String json) {
        return new Gson().fromJson(json, ServerStatistics.class);
    }
}
