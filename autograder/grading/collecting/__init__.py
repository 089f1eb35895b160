"""From what an LMS lets a teacher download to build/submitted: reading it, telling who is who, placing."""
