"""Forms of events, a module for each page.

They check shape and combinations; what may be done is the business of services.
"""
