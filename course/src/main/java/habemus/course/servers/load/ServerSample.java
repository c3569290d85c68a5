package habemus.course.servers.load;

/** @param seconds since the start of the load */
public record ServerSample(double seconds, ServerStatistics statistics) {}
